import { messageProof } from '@holdfast/contract/message-proof';
import { AppError } from '@holdfast/foundation/errors';
import { readFile } from 'node:fs/promises';
import { verifyMessageProof, type ProofFault } from '../features/archive/index.ts';
import { readRoots } from '../features/timestamps/index.ts';
import { required, type Command } from './command.ts';

const WORDS: Readonly<Record<ProofFault, string>> = {
  message: 'The message is not the one that was archived: its bytes have another hash.',
  capture: 'The message was not in the capture that the proof names.',
  event: 'The event of the audit log belongs to another capture.',
  log: 'The event is not in the audit log that was signed.',
  signature: 'The checkpoint was not signed with this key.',
  timestamp: 'The proof has no time stamp of this log by an authority that you trust.',
  key: 'This is not a public key of an audit log. A key looks like holdfast-audit+0123abcd+...',
};

async function proofFrom(file: string) {
  const text = await readFile(file, 'utf8');
  try {
    return messageProof.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('admin.bad-option', { message: `${file} is not a proof of an archived message.`, cause });
  }
}

/** Checks the proof of an archived message. Needs neither a database nor a vault. */
export const verifyProof: Command = {
  name: 'verify-proof',
  summary: 'Checks the proof of an archived message with a key alone, without database and vault.',
  options: {
    proof: 'File with the proof',
    key: 'Public key of the audit log, as its page shows it; got another way than the proof',
    message: 'File with the message, to compare it with the proof',
    authorities: 'PEM file with the root certificates of time-stamping authorities that you trust',
  },
  async run({ print }, given) {
    const proof = await proofFrom(required(given, 'proof'));
    const key = required(given, 'key');
    const message = given['message'] === undefined ? {} : { message: await readFile(given['message']) };
    const authorities = given['authorities'] === undefined ? {} : { roots: await readRoots(given['authorities']) };
    const faults = verifyMessageProof(proof, { key, ...message, ...authorities });
    for (const fault of faults) print(WORDS[fault]);
    if (faults.length > 0) throw new AppError('archive.proof-refused', { message: `The proof is not valid: ${faults.join(', ')}.` });
    print(`The message ${proof.message} was archived before ${proof.log.checkpoint.at} and has not changed.`);
    if (proof.timestamp) {
      const { authority, at } = proof.timestamp;
      const isChecked = given['authorities'] !== undefined;
      print(
        isChecked ? `${authority} attests that it was there on ${at}.` : `The proof has a time stamp: give --authorities FILE to check it.`,
      );
    }
    if (given['message'] === undefined) print('Give --message FILE to compare the message itself.');
  },
};
