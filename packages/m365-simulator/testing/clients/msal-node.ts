import { X509Certificate } from 'node:crypto';
import { ConfidentialClientApplication } from '@azure/msal-node';
import { failureOf, readSetting, tell } from './setting.ts';

const scopes = ['https://graph.microsoft.com/.default'];
const { tenantId, clientId, clientSecret, certificate } = readSetting();
const authority = `https://login.microsoftonline.com/${tenantId}`;
const x509 = new X509Certificate(certificate.slice(certificate.indexOf('-----BEGIN CERTIFICATE')));
const privateKey = certificate.slice(0, certificate.indexOf('-----BEGIN CERTIFICATE'));

const bySecret = new ConfidentialClientApplication({ auth: { clientId, authority, clientSecret } });
const first = await bySecret.acquireTokenByClientCredential({ scopes });
const second = await bySecret.acquireTokenByClientCredential({ scopes });

const thumbprintSha256 = x509.fingerprint256.replaceAll(':', '');
const current = new ConfidentialClientApplication({ auth: { clientId, authority, clientCertificate: { thumbprintSha256, privateKey } } });
const modern = await current.acquireTokenByClientCredential({ scopes });

const thumbprint = x509.fingerprint.replaceAll(':', '');
const old = new ConfidentialClientApplication({ auth: { clientId, authority, clientCertificate: { thumbprint, privateKey } } });
const legacy = await old.acquireTokenByClientCredential({ scopes });

const wrong = new ConfidentialClientApplication({ auth: { clientId, authority, clientSecret: 'wrong' } });
const refusal = await failureOf(() => wrong.acquireTokenByClientCredential({ scopes }));
tell({ secret: first?.tokenType, isCached: second?.fromCache, sha256: modern?.tokenType, sha1: legacy?.tokenType, refusal });
