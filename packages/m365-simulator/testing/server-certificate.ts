/** Certificates for servers that tests start: an authority, and a certificate of it for names and the loopback addresses. */
export { createServerCertificate } from '../src/server/certificates.ts';
