import { expect, it } from 'vitest';
import { contactCard } from './contact-card.ts';

function lines(contact: object, photo?: Uint8Array): string[] {
  const card = contactCard(contact as never, photo);
  expect(card.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  return card.replaceAll(/\r\n /gu, '').split('\r\n');
}

it('escapes what separates values, and no value begins a line of its own', () => {
  const card = lines({
    displayName: 'Müller; Söhne, Co\\KG',
    surname: 'Müller',
    givenName: 'Zoë 🎉',
    personalNotes: 'First\r\nEND:VCARD\rBEGIN:VCARD',
    emailAddresses: [{ address: 'zoe@example.org\r\nX:1' }],
    categories: ['Friends, old'],
  });
  expect(card).toContain('FN:Müller\\; Söhne\\, Co\\\\KG');
  expect(card).toContain('N:Müller;Zoë 🎉;;;');
  expect(card).toContain('NOTE:First\\nEND:VCARD\\nBEGIN:VCARD');
  expect(card).toContain('EMAIL;TYPE=INTERNET:zoe@example.orgX:1');
  expect(card).toContain('CATEGORIES:Friends\\, old');
  expect(card.filter((line) => line === 'BEGIN:VCARD')).toHaveLength(1);
});

it('folds a picture and says what kind it is by its bytes', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5_000, 7)]);
  const picture = lines({ displayName: 'Ann' }, png).find((line) => line.startsWith('PHOTO'));
  const [head, data = ''] = picture?.split(':') ?? [];
  expect(head).toBe('PHOTO;ENCODING=b;TYPE=PNG');
  expect(Buffer.from(data, 'base64')).toEqual(png);
  expect(lines({ displayName: 'Ann' }, Buffer.from('ffd8ffe0', 'hex')).some((line) => line.includes('TYPE=JPEG'))).toBe(true);
});

it.each([
  [{ displayName: '', givenName: 'Ann', surname: 'Lee' }, 'Ann Lee'],
  [{ companyName: 'Contoso' }, 'Contoso'],
  [{ emailAddresses: [{ address: 'ann@example.org' }] }, 'ann@example.org'],
])('names whoever has no name: %j', (contact, name) => {
  expect(lines(contact)).toContain(`FN:${name}`);
});

it('leaves out what is empty, and keeps pages, moving pictures and every address that says something', () => {
  const card = lines(
    {
      displayName: 'Ann',
      businessHomePage: 'https://example.org/ann\r\nX:1',
      homeAddress: { street: '', city: null },
      otherAddress: { city: 'Kiel' },
      emailAddresses: [{ address: '' }, { address: 'ann@example.org' }],
      homePhones: [''],
    },
    Buffer.from('474946383961', 'hex'),
  );
  expect(card).toContain('URL:https://example.org/annX:1');
  expect(card.filter((line) => line.startsWith('ADR'))).toEqual(['ADR;TYPE=POSTAL:;;;Kiel;;;']);
  expect(card.filter((line) => line.startsWith('EMAIL') || line.startsWith('TEL'))).toEqual(['EMAIL;TYPE=INTERNET:ann@example.org']);
  expect(card.some((line) => line.includes('TYPE=GIF'))).toBe(true);
  expect(lines({ displayName: 'Ann' }, Buffer.from('4700', 'hex')).some((line) => line.includes('TYPE=JPEG'))).toBe(true);
});
