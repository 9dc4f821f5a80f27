# SPDX-License-Identifier: GPL-3.0-or-later
"""neap in PyTorch's compiler, if PyTorch is installed."""
import neap
import pytest
from neap.hosts import inductor

torch = pytest.importorskip("torch")
pytest.importorskip(inductor.MODULE)


def branches(x):
    """Buffers of many sizes and lifetimes; matrix products are never fused."""
    parts = [x @ torch.ones(x.shape[1], width) for width in (31, 170, 64, 257, 96)]
    narrow = [part @ torch.ones(part.shape[1], 24) for part in parts]
    wide = torch.cat([narrow[0], parts[1], narrow[2]], 1) @ torch.ones(218, 80)
    return wide.sum() + sum(part.sum() for part in narrow)


@pytest.fixture
def found(monkeypatch, tmp_path):
    """The planned problems; the cache is empty, even if the same test has run before."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    torch._dynamo.reset()
    yield inductor.install(max_ticks=100000)
    inductor.uninstall()


def run(function, x, **options):
    with torch.no_grad():
        return torch.compile(function, **options)(x)


def test_pools_are_never_larger_and_the_output_is_equal(found) -> None:
    x = torch.rand(16, 48)
    planned = run(branches, x)
    assert found.pools >= 1 and found.symbolic == 0
    assert found.bound <= found.after <= found.before
    assert (found.lowered > 0) == (found.after < found.before)
    inductor.uninstall()
    torch._dynamo.reset()
    assert torch.equal(planned, run(branches, x))


def test_symbolic_sizes_stay_as_they_are(found) -> None:
    x = torch.rand(16, 48)
    assert torch.allclose(run(branches, x, dynamic=True), branches(x))
    assert found.symbolic >= 1
    assert f"{found.symbolic} with symbolic sizes" in str(found)


def test_uninstall_restores_the_settings() -> None:
    planner, config, compiler = inductor._modules()
    before = planner.MemoryPlanner.allocate_groups, config.memory_planning, compiler.cache_key_tag
    inductor.install(engine="sort")
    inductor.install(engine="tune")
    assert config.memory_planning and "tune" in compiler.cache_key_tag
    assert "sort" not in compiler.cache_key_tag
    inductor.uninstall()
    inductor.uninstall()
    after = planner.MemoryPlanner.allocate_groups, config.memory_planning, compiler.cache_key_tag
    assert before == after


def test_wrong_options_are_refused_at_once() -> None:
    with pytest.raises(neap.ArgumentError):
        inductor.install(no_such_option=1)
