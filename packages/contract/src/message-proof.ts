import { z } from 'zod';
import { checkpoint } from './audit.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/u);
const path = z.array(hash).max(64);

/**
 * What shows that a message was archived and has not changed since: the message is in the tree of its capture, the root of
 * that tree is in an event of the audit log, the event is in the tree of the log, and its root is signed.
 */
export const messageProof = z.object({
  version: z.literal(1),
  /** SHA-256 of the exact bytes. */
  message: hash,
  /** The tree over the hashes of everything that was captured with it, in their order. */
  capture: z.object({ at: z.number().int().min(0), of: z.number().int().min(1), path, root: hash }),
  /** The event as the log has it; what names people is in `payloadHash` alone. */
  event: z.object({
    sequence: z.number().int().min(1),
    at: z.string(),
    organisationId: z.string(),
    realm: z.string(),
    event: z.string(),
    outcome: z.string(),
    subjectKind: z.string().nullable(),
    subjectId: z.string().nullable(),
    payloadHash: hash,
  }),
  log: z.object({ path, checkpoint }),
  /** What an authority attests of that checkpoint: a token (RFC 3161) on its note. */
  timestamp: z.object({ at: z.string(), authority: z.string(), token: z.base64().max(400_000) }).optional(),
  /** The key that signed it, as a signed note writes keys. Compare it with one that you got another way. */
  publicKey: z.string(),
});
export type MessageProof = z.infer<typeof messageProof>;
