import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@holdfast/foundation/errors';
import { expect, test } from 'vitest';
import { ValidationError } from './http/problem.ts';
import { operatorSentence } from './operator-sentence.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It was to fail.');
}

test('an error says what happened in words: its own, or those of its code', () => {
  expect(operatorSentence(new AppError('vault.damaged', { message: '3 contents could not be read.' }), undefined)).toBe(
    '3 contents could not be read.',
  );
  expect(operatorSentence(new AppError('locations.path-refused'), undefined)).toMatch(/^This folder may not be used\./);
  expect(operatorSentence(new AppError('vault.wrong-key'), undefined)).toMatch(/ .*\.$/);
});

test('input that is wrong is named field by field', () => {
  const fields = { name: ['Required'], 'import.into': ['Too long', 'Not allowed'] };
  expect(operatorSentence(new ValidationError('request.invalid', fields), undefined)).toBe(
    'name: Required\nimport.into: Too long Not allowed',
  );
});

test('a path that the system refuses is named, without a stack', () => {
  const sentence = operatorSentence(
    thrownBy(() => mkdirSync(path.join(import.meta.filename, 'content'))),
    undefined,
  );
  expect(sentence).toContain(import.meta.filename);
  expect(sentence).not.toContain('\n');
});

test('what nobody foresaw keeps its stack', () => {
  expect(operatorSentence(new TypeError('x is not a function'), undefined)).toBeUndefined();
});
