import type { X509Certificate } from 'node:crypto';

export interface ChainGround {
  /** Certificates that are believed as they are. */
  readonly roots: readonly X509Certificate[];
  /** Certificates that may stand between. */
  readonly between: readonly X509Certificate[];
  /** When all of them had to be valid. */
  readonly at: Date;
}

/** Longer chains than this are nobody's, and end the search. */
const LONGEST = 8;

const isValid = ({ validFrom, validTo }: X509Certificate, at: Date): boolean => new Date(validFrom) <= at && at <= new Date(validTo);

const hasIssued = (issuer: X509Certificate, one: X509Certificate): boolean => one.checkIssued(issuer) && one.verify(issuer.publicKey);

/** Whether a believed certificate has issued this one, directly or through others. Nobody is asked whether one was revoked. */
export function isIssuedBelow(one: X509Certificate, ground: ChainGround, left = LONGEST): boolean {
  const { roots, between, at } = ground;
  if (left === 0 || !isValid(one, at)) return false;
  if (roots.some((root) => root.fingerprint256 === one.fingerprint256)) return true;
  if (roots.some((root) => root.ca && isValid(root, at) && hasIssued(root, one))) return true;
  return between.some(
    (issuer) =>
      issuer.ca && issuer.fingerprint256 !== one.fingerprint256 && hasIssued(issuer, one) && isIssuedBelow(issuer, ground, left - 1),
  );
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** The certificates of a PEM file, in the form that they are written in one after the other. */
export const certificatesIn = (pem: string): readonly string[] => pem.match(CERTIFICATE) ?? [];
