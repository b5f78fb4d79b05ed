import type { SecureContext } from 'node:tls';
import { readCommand, type Command } from './command.ts';
import { replies, sizeReply } from './replies.ts';
import type { Wire } from './wire.ts';

/** Where a mail for an address goes; `refused` is what the client is told instead. */
export type Recipient<Place> = { readonly place: Place; readonly maxBytes: number } | { readonly refused: string };

/** A mail that came in whole. */
export interface IncomingMail<Place> {
  readonly raw: Buffer;
  readonly places: readonly Place[];
  readonly mailFrom: string;
  readonly client: string;
}

/** Bytes of mails that are held in this process, all connections together. */
export interface ByteBudget {
  /** Takes room; false when there is none now. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export interface SmtpRules<Place> {
  readonly hostName: string;
  readonly secureContext: () => SecureContext;
  readonly maxBytes: number;
  readonly budget: ByteBudget;
  recipient(address: string, client: string): Promise<Recipient<Place>>;
  /** Resolves when the mail is durable in each place; the client is told only then. */
  receive(mail: IncomingMail<Place>): Promise<void>;
  onError(error: unknown): void;
}

const LONGEST_LINE = 4_096;
const MOST_RECIPIENTS = 10;
const MOST_MISTAKES = 10;
const MOST_MAILS = 5_000;

interface Envelope<Place> {
  readonly from: string;
  readonly places: Place[];
  maxBytes: number;
}

/** One client from its greeting to its end. */
export class SmtpSession<Place> {
  readonly #wire: Wire;
  readonly #client: string;
  readonly #rules: SmtpRules<Place>;
  #hasGreeted = false;
  #envelope: Envelope<Place> | undefined;
  #mistakes = 0;
  #mails = 0;

  constructor(wire: Wire, client: string, rules: SmtpRules<Place>) {
    this.#wire = wire;
    this.#client = client;
    this.#rules = rules;
  }

  async run(): Promise<void> {
    const wire = this.#wire;
    wire.answer(`220 ${this.#rules.hostName} ESMTP Holdfast\r\n`);
    for (;;) {
      const line = await wire.line(LONGEST_LINE);
      if (line === undefined) return;
      if (line === null) return this.#leave(replies.lineTooLong);
      if (!(await this.#turn(readCommand(line)))) return;
    }
  }

  /** One command and its reply; false when it was the last. */
  async #turn(command: Command): Promise<boolean> {
    const reply = command.verb === 'DATA' ? await this.#data() : await this.#answer(command);
    if (reply === undefined) {
      this.#wire.destroy();
      return false;
    }
    this.#wire.answer(reply);
    if (reply === replies.startTls && !(await this.#secure())) {
      this.#wire.destroy();
      return false;
    }
    if (reply.startsWith('5')) this.#mistakes += 1;
    const last = this.#lastWord(reply);
    if (last !== undefined) this.#leave(last);
    return last === undefined;
  }

  /** What a client is told that has to go; empty for one that leaves by itself. */
  #lastWord(reply: string): string | undefined {
    if (reply === replies.bye) return '';
    if (this.#mistakes >= MOST_MISTAKES) return replies.tooManyMistakes;
    return this.#mails >= MOST_MAILS ? replies.enough : undefined;
  }

  #leave(reply: string): void {
    if (reply !== '') this.#wire.answer(reply);
    this.#wire.end();
  }

  async #secure(): Promise<boolean> {
    this.#hasGreeted = false;
    this.#envelope = undefined;
    return this.#wire.secure(this.#rules.secureContext());
  }

  #answer(command: Command): Promise<string> | string {
    switch (command.verb) {
      case 'EHLO':
      case 'HELO':
        return this.#greet(command.verb);
      case 'STARTTLS':
        return this.#wire.isSecure ? replies.alreadySecure : replies.startTls;
      case 'MAIL':
        return this.#mail(command);
      case 'RCPT':
        return this.#recipient(command);
      case 'RSET':
        this.#envelope = undefined;
        return replies.ok;
      case 'NOOP':
        return replies.ok;
      case 'QUIT':
        return replies.bye;
      case 'VRFY':
        return replies.cannotVerify;
      default:
        return replies.unknown;
    }
  }

  #greet(verb: 'EHLO' | 'HELO'): string {
    const { hostName, maxBytes } = this.#rules;
    this.#hasGreeted = true;
    this.#envelope = undefined;
    if (verb === 'HELO') return `250 ${hostName}\r\n`;
    const offered = ['PIPELINING', `SIZE ${maxBytes}`, '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];
    if (!this.#wire.isSecure) offered.push('STARTTLS');
    return [hostName, ...offered].map((text, at) => `250${at === offered.length ? ' ' : '-'}${text}\r\n`).join('');
  }

  #mail({ address, parameters }: Command): string {
    if (!this.#hasGreeted) return replies.greetFirst;
    if (!this.#wire.isSecure) return replies.secureFirst;
    if (this.#envelope) return replies.wrongOrder;
    if (address === undefined) return replies.badAddress;
    if (Number(parameters.get('SIZE') ?? 0) > this.#rules.maxBytes) return sizeReply(this.#rules.maxBytes);
    this.#envelope = { from: address, places: [], maxBytes: this.#rules.maxBytes };
    return replies.ok;
  }

  async #recipient({ address }: Command): Promise<string> {
    const envelope = this.#envelope;
    if (!envelope) return replies.wrongOrder;
    if (address === undefined || address === '') return replies.badAddress;
    if (envelope.places.length >= MOST_RECIPIENTS) return replies.tooManyRecipients;
    try {
      const recipient = await this.#rules.recipient(address, this.#client);
      if ('refused' in recipient) return recipient.refused;
      envelope.places.push(recipient.place);
      envelope.maxBytes = Math.min(envelope.maxBytes, recipient.maxBytes);
      return replies.ok;
    } catch (error) {
      this.#rules.onError(error);
      return replies.tryLater;
    }
  }

  /** Takes a message in; undefined when the client went away in the middle of it. */
  async #data(): Promise<string | undefined> {
    const envelope = this.#envelope;
    if (!envelope || envelope.places.length === 0) return replies.wrongOrder;
    this.#envelope = undefined;
    this.#mails += 1;
    this.#wire.answer(replies.goAhead);
    const { budget } = this.#rules;
    const held = { pieces: [] as Buffer[], bytes: 0, reply: undefined as string | undefined };
    try {
      const isWhole = await this.#wire.message((piece) => {
        if (held.reply !== undefined) return;
        if (held.bytes + piece.byteLength > envelope.maxBytes) held.reply = sizeReply(envelope.maxBytes);
        else if (!budget.take(piece.byteLength)) held.reply = replies.noRoom;
        if (held.reply !== undefined) held.pieces.length = 0;
        else {
          // A copy: the piece is a part of whatever the network brought with it.
          held.pieces.push(Buffer.from(piece));
          held.bytes += piece.byteLength;
        }
      });
      if (!isWhole) return undefined;
      return held.reply ?? (await this.#receive(Buffer.concat(held.pieces), envelope));
    } finally {
      budget.give(held.bytes);
    }
  }

  async #receive(raw: Buffer, { from: mailFrom, places }: Envelope<Place>): Promise<string> {
    try {
      await this.#rules.receive({ raw, places, mailFrom, client: this.#client });
      return replies.stored;
    } catch (error) {
      this.#rules.onError(error);
      return replies.tryLater;
    }
  }
}
