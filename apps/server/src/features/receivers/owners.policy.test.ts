import { expect, test } from 'vitest';
import { addressesOf, candidatesOf, ownersOf, type AddressOwner } from './owners.policy.ts';

const anna = { graphId: 'anna', isExempt: false };
const council = { graphId: 'council', isExempt: true };

function found(envelope: readonly string[], directory: Readonly<Record<string, AddressOwner>>) {
  const addresses = addressesOf({ recipients: envelope.map((address) => ({ address, role: 'to' as const })) });
  const candidates = new Set(candidatesOf(addresses));
  // The directory is asked for the candidates alone.
  return ownersOf(addresses, new Map(Object.entries(directory).filter(([address]) => candidates.has(address))));
}

test('an address in another script belongs to whom the directory names, however its domain is written', () => {
  const coded = 'анна@xn--e1afmkfd.example';
  const plain = 'анна@пример.example';
  for (const [envelope, directory] of [
    [plain, coded],
    [coded, plain],
    ['Анна@ПРИМЕР.example', coded],
    ['анна+новости@пример.example', coded],
    ['社員@例え.example', '社員@xn--r8jz45g.example'],
  ] as const)
    expect([...found([envelope], { [directory]: anna }).owners.keys()], envelope).toEqual(['anna']);
  expect(found([plain], { [coded]: council })).toMatchObject({ hasExempt: true, owners: new Map() });
});

test('an address with a tag is that without it, unless somebody has the whole of it, and no other address is anybody else', () => {
  const directory = { 'anna@contoso.example': anna, 'ben+sales@contoso.example': { graphId: 'ben', isExempt: false } };
  expect([...found(['anna+news@contoso.example', 'ben+sales@contoso.example'], directory).owners.keys()]).toEqual(['anna', 'ben']);
  const namesake = { ...directory, 'ben@contoso.example': { graphId: 'another ben', isExempt: false } };
  expect([...found(['ben+sales@contoso.example'], namesake).owners.keys()]).toEqual(['ben']);
  expect([...found(['ben@contoso.example', 'anna@contoso.example.org', 'анна@contoso.example'], directory).owners.keys()]).toEqual([]);
});
