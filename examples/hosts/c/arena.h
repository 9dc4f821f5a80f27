static _Alignas(16) unsigned char arena[62720];
#define conv1 ((float *)(arena + 0))
#define pool1 ((float *)(arena + 50176))
#define conv2 ((float *)(arena + 0))
#define sum ((float *)(arena + 12544))
#define pool2 ((float *)(arena + 0))
#define scores ((float *)(arena + 3136))
