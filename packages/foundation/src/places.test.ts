import { expect, test } from 'vitest';
import { createPlaces, type Place } from './places.ts';

/** Work that ends when it is told to. */
function works(places: ReturnType<typeof createPlaces>, begun: string[], name: string) {
  const gate = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<Place>();
  const ended = places.run(async (place) => {
    begun.push(name);
    taken.resolve(place);
    await gate.promise;
  });
  return { place: taken.promise, end: async () => (gate.resolve(), ended) };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test('who rests lets the next one work, and nobody begins before there is a place again', async () => {
  const begun: string[] = [];
  const places = createPlaces(1);
  const [first, second, third] = ['first', 'second', 'third'].map((name) => works(places, begun, name));
  await settle();
  expect(begun).toEqual(['first']);
  const place = await first?.place;
  place?.rest();
  place?.rest();
  await settle();
  expect(begun).toEqual(['first', 'second']);
  place?.resume();
  await second?.end();
  await settle();
  expect(begun).toEqual(['first', 'second']);
  await first?.end();
  await settle();
  expect(begun).toEqual(['first', 'second', 'third']);
  await third?.end();
});

test('work that fails while it rests leaves as many places as there were', async () => {
  const places = createPlaces(1);
  const failing = places.run(async (place) => {
    place.rest();
    throw new Error('It failed.');
  });
  await expect(failing).rejects.toThrow('It failed.');
  const begun: string[] = [];
  const [first, second] = ['first', 'second'].map((name) => works(places, begun, name));
  await settle();
  expect(begun).toEqual(['first']);
  await first?.end();
  await second?.end();
});
