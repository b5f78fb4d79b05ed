/**
 * Sign-in with Microsoft Entra: OpenID Connect, code flow with PKCE.
 *
 * Each organisation names its own application and which groups give which role, never that of an owner. An answer
 * counts once, in the browser that asked for it, and only when issuer, audience, nonce, times and signature fit.
 *
 * What a provider vouches for opens its organisation alone: accounts are found by issuer and subject, never by
 * address, and a session opens no other organisation and changes nothing of the account.
 */
export { createMicrosoftSignInFeature } from './feature.ts';
