/** What clients are told. A fault of ours is always a 4: the client keeps the mail and tries again. */
export const replies = {
  ok: '250 2.0.0 OK\r\n',
  bye: '221 2.0.0 Bye\r\n',
  goAhead: '354 End with <CR><LF>.<CR><LF>\r\n',
  stored: '250 2.6.0 Stored\r\n',
  startTls: '220 2.0.0 Ready to start TLS\r\n',
  tryLater: '451 4.3.0 Not stored, try again later\r\n',
  paused: '451 4.7.1 Paused, try again later\r\n',
  noRoom: '452 4.3.1 No room at the moment, try again later\r\n',
  enough: '421 4.7.0 Enough mails for one connection\r\n',
  busy: '421 4.7.0 Too many connections, try again later\r\n',
  tooSlow: '421 4.4.2 Timeout\r\n',
  stopping: '421 4.3.2 Shutting down, try again later\r\n',
  tooManyRecipients: '452 4.5.3 Too many recipients\r\n',
  cannotVerify: '252 2.1.5 Cannot verify\r\n',
  unknown: '500 5.5.1 Unknown command\r\n',
  lineTooLong: '500 5.5.2 Line too long\r\n',
  wrongOrder: '503 5.5.1 Bad sequence of commands\r\n',
  greetFirst: '503 5.5.1 Send EHLO first\r\n',
  alreadySecure: '503 5.5.1 TLS is active\r\n',
  badAddress: '501 5.1.7 Bad address\r\n',
  secureFirst: '530 5.7.0 Send STARTTLS first\r\n',
  noSuchAddress: '550 5.1.1 No such address\r\n',
  networkRefused: '550 5.7.1 Not accepted from this network\r\n',
  tooManyMistakes: '421 4.7.0 Too many errors\r\n',
} as const;

export function sizeReply(maxBytes: number): string {
  return `552 5.3.4 Larger than ${maxBytes} bytes\r\n`;
}
