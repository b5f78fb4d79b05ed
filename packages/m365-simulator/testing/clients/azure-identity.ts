import { ClientCertificateCredential, ClientSecretCredential } from '@azure/identity';
import { failureOf, readSetting, tell } from './setting.ts';

const SCOPE = 'https://graph.microsoft.com/.default';
const { tenantId, clientId, clientSecret, certificate } = readSetting();

const bySecret = await new ClientSecretCredential(tenantId, clientId, clientSecret).getToken(SCOPE);
const byCertificate = await new ClientCertificateCredential(tenantId, clientId, { certificate }).getToken(SCOPE);
const refusal = await failureOf(() => new ClientSecretCredential(tenantId, clientId, 'wrong').getToken(SCOPE));
tell({ secretLives: bySecret.expiresOnTimestamp, certificateLives: byCertificate.expiresOnTimestamp, refusal });
