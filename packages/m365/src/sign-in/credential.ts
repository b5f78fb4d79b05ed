import type { Secret } from '@holdfast/foundation/secrets';

/** How the application proves itself. */
export type GraphCredential =
  | { readonly kind: 'secret'; readonly clientId: string; readonly clientSecret: Secret }
  | {
      readonly kind: 'certificate';
      readonly clientId: string;
      readonly certificatePem: string;
      readonly privateKeyPem: Secret;
      /** The SHA-1 in hex that the admin centre shows. When given it must be that of the certificate. */
      readonly thumbprint?: string;
    };
