/**
 * API keys: how programs come in.
 *
 * A key belongs to the person who created it and acts for them in one organisation and realm, with a role not above
 * theirs, until its end, from the networks it names. It is shown once and stored as a hash. It opens the main surface
 * only, and there only what the table of the contract leaves to keys.
 *
 * A key is read where a session is read, for each request from the database: it stops with its end, with the membership
 * of its person and while their role is below its own.
 */
export { createApiKeysFeature, type ApiKeysFeature } from './feature.ts';
