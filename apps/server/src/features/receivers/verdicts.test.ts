import { generateKeyPairSync } from 'node:crypto';
import { dkimSign, sealMessage } from 'mailauth';
import { expect, test } from 'vitest';
import { createVerdicts, signatureVerdicts, type LookUp, type SignatureVerdicts } from './verdicts.ts';

const keyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const recordOf = (publicKey: Buffer): string => `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
const message = Buffer.from(
  'From: anna@contoso.example\r\nTo: ben@x.example\r\nSubject: Offer\r\nDate: Mon, 23 Nov 2026 10:00:00 +0000\r\n\r\nSigned.\r\n',
);

/** A DNS of our own, in which keys come and go. */
function ownDns(): { readonly lookUp: LookUp; readonly zone: Map<string, string> } {
  const zone = new Map<string, string>();
  return {
    zone,
    lookUp: (name) => {
      const record = zone.get(name);
      return record === undefined ? Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' })) : Promise.resolve([[record]]);
    },
  };
}

/** The keys that were published when a message arrived, and no others. */
function keptKeys({ keys }: Pick<SignatureVerdicts, 'keys'>): LookUp {
  const { zone, lookUp } = ownDns();
  for (const { name, record } of keys) zone.set(name, record);
  return lookUp;
}

async function signed(privateKey: string): Promise<Buffer> {
  const { signatures } = await dkimSign(message, {
    signatureData: [{ signingDomain: 'contoso.example', selector: 's1', privateKey }],
  } as never);
  return Buffer.concat([Buffer.from(signatures), message]);
}

test('A33: a signature that was valid on arrival verifies from the kept key after the key was rotated; one changed byte does not', async () => {
  const { zone, lookUp } = ownDns();
  const first = keyPair();
  zone.set('s1._domainkey.contoso.example', recordOf(first.publicKey));
  const mail = await signed(first.privateKey);
  const arrived = await signatureVerdicts(mail, lookUp);
  expect(arrived?.dkim).toEqual([{ domain: 'contoso.example', selector: 's1', result: 'pass' }]);
  zone.set('s1._domainkey.contoso.example', recordOf(keyPair().publicKey));
  expect((await signatureVerdicts(mail, lookUp))?.dkim[0]?.result).not.toBe('pass');
  if (!arrived) throw new Error('There is no verdict.');
  expect((await signatureVerdicts(mail, keptKeys(arrived)))?.dkim[0]?.result).toBe('pass');
  const changed = Buffer.from(mail);
  changed[changed.indexOf('Signed.')] = 0x73;
  expect((await signatureVerdicts(changed, keptKeys(arrived)))?.dkim[0]?.result).not.toBe('pass');
  zone.clear();
  expect((await signatureVerdicts(mail, lookUp))?.dkim[0]?.result).not.toBe('pass');
});

test('A33: an ARC chain is checked with its keys as well', async () => {
  const { zone, lookUp } = ownDns();
  const pair = keyPair();
  zone.set('arc._domainkey.forwarder.example', recordOf(pair.publicKey));
  const seal = {
    signingDomain: 'forwarder.example',
    selector: 'arc',
    privateKey: pair.privateKey,
    authResults: 'forwarder.example; spf=pass',
    cv: 'none',
  };
  const mail = Buffer.concat([await sealMessage(message, seal), message]);
  const arrived = await signatureVerdicts(mail, lookUp);
  expect(arrived).toMatchObject({ arc: 'pass', keys: [{ name: 'arc._domainkey.forwarder.example' }] });
  zone.clear();
  expect(arrived && (await signatureVerdicts(mail, keptKeys(arrived)))?.arc).toBe('pass');
});

test('a message without signatures has no verdict, and one that asks for no end of keys is received all the same', async () => {
  const { lookUp } = ownDns();
  expect(await signatureVerdicts(message, lookUp)).toBeUndefined();
  let asked = 0;
  const counting: LookUp = (name) => {
    asked += 1;
    return lookUp(name);
  };
  const many = Array.from({ length: 200 }, (_, at) => `DKIM-Signature: v=1; a=rsa-sha256; d=d${at}.example; s=s; h=from; bh=x; b=y\r\n`);
  await createVerdicts(counting)(Buffer.from(many.join('') + message.toString()));
  expect(asked).toBeLessThanOrEqual(20);
  expect(await createVerdicts(undefined)(message)).toBeUndefined();
});
