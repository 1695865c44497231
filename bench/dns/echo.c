/* The kernel's own price: sends each UDP message of 127.0.0.1 back, with two system calls for up to 64, and no more. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 64, ROOM = 4096 };

int main(int count, char **arguments) {
  static unsigned char octets[BATCH][ROOM];
  static struct sockaddr_in names[BATCH];
  static struct iovec vectors[BATCH];
  static struct mmsghdr messages[BATCH];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(count > 1 ? atoi(arguments[1]) : 0)};
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  int receiveBuffer = 4194304;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, sizeof receiveBuffer);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) return 1;
  for (;;) {
    for (int i = 0; i < BATCH; i++) {
      vectors[i] = (struct iovec){octets[i], ROOM};
      messages[i].msg_hdr = (struct msghdr){&names[i], sizeof names[i], &vectors[i], 1, NULL, 0, 0};
    }
    int received = recvmmsg(fd, messages, BATCH, MSG_WAITFORONE, NULL);
    for (int i = 0; i < received; i++) {
      octets[i][2] |= 0x80; /* QR: it is an answer */
      vectors[i].iov_len = messages[i].msg_len;
    }
    for (int sent = 0; sent < received;) {
      int now = sendmmsg(fd, messages + sent, received - sent, 0);
      sent += now > 0 ? now : 1;
    }
  }
}
