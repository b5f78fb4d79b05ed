import { expect, test } from 'vitest';
import { checkRooms, circles, wrongRooms } from './check-rooms.ts';

const file = (path: string, ...imports: readonly string[]) => ({
  path,
  text: imports.map((to) => `import { x } from '${to}';\n`).join(''),
});

test('rooms that import each other through a third are found, with their files; who only imports them is not in the circle', () => {
  const found = circles([
    file('packages/a/src/read/one.ts', '../write/two.ts'),
    file('packages/a/src/write/two.ts', '../index/three.ts'),
    file('packages/a/src/index/three.ts', '../read/one.ts'),
    file('packages/a/src/index/four.ts'),
    file('packages/a/src/index.ts', './read/one.ts'),
    file('packages/b/src/features/jobs/x.ts', '../runs/y.ts'),
    file('packages/b/src/features/runs/y.ts'),
  ]);
  expect([...found]).toEqual([['packages/a', { rooms: ['index', 'read', 'write'], files: 4 }]]);
  expect(wrongRooms(found)).toEqual(['packages/a: 4 files are in rooms that import each other: index, read, write.']);
});

test('tests may reach where they like, and a file at the root of a package is a room too', () => {
  const back = file('packages/a/src/read/one.test.ts', '../write/two.ts');
  expect(circles([file('packages/a/src/write/two.ts', '../read/one.ts'), file('packages/a/src/read/one.ts'), back]).size).toBe(0);
  expect(circles([file('packages/a/src/main.ts', './read/one.ts'), file('packages/a/src/read/one.ts', '../main.ts')]).size).toBe(1);
});

test('no package has a circle of rooms', async () => {
  expect(await checkRooms()).toBe('');
});
