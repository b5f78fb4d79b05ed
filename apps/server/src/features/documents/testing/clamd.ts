import { once } from 'node:events';
import { createServer, type ListenOptions, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A scanner that speaks clamd's INSTREAM: it takes a file in pieces and finds what it was told to look for. */
export interface Clamd {
  /** For `HOLDFAST_CLAMD`. */
  readonly address: string;
  /** The sizes of the files that it has been asked about. */
  readonly scanned: readonly number[];
  /** Closes the next connection, or the one that is there, without a word. */
  hangUp(): Promise<void>;
  close(): Promise<void>;
}

export interface ClamdOptions {
  /** Bytes that make a file one with malware, and what clamd calls it then. */
  readonly marker?: string;
  readonly signature?: string;
  /** More than this in one file ends the session, as `StreamMaxLength` does. */
  readonly mostBytes?: number;
  /** The path of a socket instead of a port of this machine. */
  readonly path?: string;
  /** What it answers whatever it is asked; `null`: nothing, and `undefined`: what it has found. */
  readonly always?: string | null;
}

const COMMAND = 'zINSTREAM\0';

/** Takes the pieces out of what has come; undefined until the piece without a length has. */
function fileIn(received: Buffer): Buffer | undefined {
  const pieces: Buffer[] = [];
  let at = COMMAND.length;
  while (at + 4 <= received.byteLength) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}

function serve(socket: Socket, options: ClamdOptions, scanned: number[]): void {
  const { marker = 'EICAR', signature = 'Eicar-Test-Signature', mostBytes = Infinity, always } = options;
  let received = Buffer.alloc(0);
  const say = (answer: string): void => void socket.end(`${answer}\0`);
  socket.on('error', () => socket.destroy());
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    if (received.byteLength < COMMAND.length) return;
    if (received.subarray(0, COMMAND.length).toString('latin1') !== COMMAND) return say('UNKNOWN COMMAND');
    if (received.byteLength > mostBytes) return say('INSTREAM size limit exceeded. ERROR');
    const file = fileIn(received);
    if (file === undefined || always === null) return;
    scanned.push(file.byteLength);
    say(always ?? (file.includes(marker) ? `stream: ${signature} FOUND` : 'stream: OK'));
  });
}

export async function startClamd(options: ClamdOptions = {}): Promise<Clamd> {
  const scanned: number[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serve(socket, options, scanned);
  });
  const place: ListenOptions = options.path === undefined ? { host: '127.0.0.1', port: 0 } : { path: options.path };
  await new Promise<void>((resolve) => server.listen(place, resolve));
  return {
    address: options.path === undefined ? `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix:${options.path}`,
    scanned,
    hangUp: async () => {
      if (open.size === 0) await once(server, 'connection');
      for (const socket of open) socket.destroy();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
