import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import type { Clock } from '@holdfast/foundation/clock';
import { createDotDecoder } from './dot-decoder.ts';

/** Bytes that wait to be read before the client has to wait. */
const MOST_WAITING = 128 * 1024;
const NOTHING = Buffer.alloc(0);

/** What a connection brings, line by line or as a message, and what is answered. */
export class Wire {
  #socket: Socket;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  #wake: () => void = () => undefined;
  readonly #clock: Clock;
  #activeMs: number;
  readonly #onData = (chunk: Buffer): void => {
    this.#activeMs = this.#clock.monotonicMs();
    this.#waiting.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes > MOST_WAITING) this.#socket.pause();
    this.#wake();
  };
  readonly #onEnd = (): void => {
    this.#isOver = true;
    this.#wake();
  };

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    this.#activeMs = clock.monotonicMs();
    this.#listen(socket);
  }

  get isSecure(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  /** How long nothing has been said by either side. */
  get silentMs(): number {
    return this.#clock.monotonicMs() - this.#activeMs;
  }

  #listen(socket: Socket): void {
    socket.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onEnd).on('error', this.#onEnd);
  }

  /** What has come since; nothing once the client has gone. */
  async #chunk(): Promise<Buffer | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const chunk = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#bytes = 0;
    this.#socket.resume();
    return chunk;
  }

  #putBack(rest: Buffer): void {
    if (rest.byteLength === 0) return;
    this.#waiting.unshift(rest);
    this.#bytes += rest.byteLength;
  }

  /** The next line without its end; undefined when the client has gone, null when the line is too long. */
  async line(most: number): Promise<string | null | undefined> {
    let gathered = NOTHING;
    for (;;) {
      const chunk = await this.#chunk();
      if (chunk === undefined) return undefined;
      gathered = Buffer.concat([gathered, chunk]);
      const end = gathered.indexOf('\r\n');
      if (end >= 0 && end <= most) {
        this.#putBack(gathered.subarray(end + 2));
        return gathered.toString('utf8', 0, end);
      }
      if (gathered.byteLength > most) return null;
    }
  }

  /** Hands out a message piece by piece; false when the client went away before its end. */
  async message(onPiece: (piece: Buffer) => void): Promise<boolean> {
    const decoder = createDotDecoder();
    for (;;) {
      const chunk = await this.#chunk();
      if (chunk === undefined) return false;
      const { pieces, rest } = decoder.push(chunk);
      for (const piece of pieces) onPiece(piece);
      if (rest === undefined) continue;
      this.#putBack(rest);
      return true;
    }
  }

  answer(text: string): void {
    this.#activeMs = this.#clock.monotonicMs();
    if (this.#socket.writable) this.#socket.write(text);
  }

  /** Goes on encrypted. What the client sent in clear before that is forgotten: it may be somebody else's. */
  async secure(secureContext: SecureContext): Promise<boolean> {
    const plain = this.#socket;
    plain.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    this.#waiting = [];
    this.#bytes = 0;
    const socket = new TLSSocket(plain, { isServer: true, secureContext });
    this.#socket = socket;
    const isUp = await new Promise<boolean>((resolve) => {
      socket
        .once('secure', () => resolve(true))
        .once('error', () => resolve(false))
        .once('close', () => resolve(false));
      plain.once('close', () => resolve(false));
    });
    this.#listen(socket);
    return isUp;
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
