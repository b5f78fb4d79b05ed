import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';

export interface VirusScanOptions {
  /** `tcp://host:port`, or `unix:` with the path of a socket. */
  readonly address: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Asks about a file; throws for one that the scanner refuses, and for one that it says nothing about. */
export type VirusScan = (bytes: Uint8Array) => Promise<void>;

const TIME_LIMIT_MS = 30_000;
/** Pieces in which a file is sent; the scanner has a limit of its own for all of them together. */
const PIECE_BYTES = 65_536;
/** No answer is longer: the name of a signature. */
const ANSWER_CHARACTERS = 1_000;

function placeOf(address: string): NetConnectOpts {
  if (address.startsWith('unix:')) return { path: address.slice('unix:'.length) };
  const { hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** A length of four bytes before each piece, and none after the last: clamd's INSTREAM. */
function send(socket: Socket, bytes: Uint8Array): void {
  socket.write('zINSTREAM\0');
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(piece.byteLength);
    socket.write(length);
    socket.write(piece);
  }
  socket.write(Buffer.alloc(4));
}

/** What the scanner answers, up to its closing NUL. */
async function ask({ address, clock }: VirusScanOptions, bytes: Uint8Array): Promise<string> {
  const socket = connect(placeOf(address));
  const answer = Promise.withResolvers<string>();
  const cancel = clock.after(TIME_LIMIT_MS, () => answer.reject(new Error('The scanner did not answer in time.')));
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
    if (text.includes('\0') || text.length > ANSWER_CHARACTERS) answer.resolve(text.split('\0')[0] ?? '');
  });
  socket.once('connect', () => send(socket, bytes));
  socket.on('error', (error) => answer.reject(error));
  socket.once('close', () => answer.reject(new Error('The scanner closed the connection.')));
  try {
    return await answer.promise;
  } finally {
    cancel();
    socket.destroy();
  }
}

/**
 * Has files scanned by clamd, or by whatever speaks its protocol. Fails closed: a file that the scanner says nothing
 * about is not taken.
 */
export function createVirusScan(options: VirusScanOptions): VirusScan {
  const { logger } = options;
  return async (bytes) => {
    const answer = await ask(options, bytes).catch((error: unknown) => {
      logger.warn({ err: error }, 'an uploaded file could not be scanned for malware');
      throw new AppError('documents.not-scanned');
    });
    if (answer === 'stream: OK') return;
    const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
    logger.warn({ answer }, found === undefined ? 'an uploaded file could not be scanned for malware' : 'malware was found in an upload');
    if (found === undefined) throw new AppError('documents.not-scanned');
    throw new AppError('documents.infected', { details: { field: 'file' } });
  };
}
