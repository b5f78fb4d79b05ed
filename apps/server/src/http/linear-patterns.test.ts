import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isSafe } from 'redos-detector';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { everyRoute } from './every-route.ts';

/**
 * JavaScript tries every way to match a pattern. One pattern with several ways to read the same letters stops the
 * whole process, so each pattern that meets what strangers send must have a bound on its backtracking that no input can raise.
 */
const MAX_BACKTRACKS = 2_000;
/** A pattern that takes longer to prove is too complicated to trust. */
const MAX_STEPS = 20_000;
const packages = fileURLToPath(new URL('../../../../packages', import.meta.url));
/** Where patterns meet what strangers send: requests, and the contents of mails, chats and files. */
const READERS = ['contract/src', 'words/src', 'engine/src/mime', 'engine/src/download'];

/** Cases do not change which readings overlap here, and the checker does not take `i` together with `u`. */
function isLinear(pattern: RegExp, maxSteps = MAX_STEPS): boolean {
  const checked = pattern.unicode ? new RegExp(pattern.source, pattern.flags.replace('i', '')) : pattern;
  return isSafe(checked, { maxScore: MAX_BACKTRACKS, maxSteps }).safe;
}

function inSources(): Map<string, RegExp> {
  const found = new Map<string, RegExp>();
  const names = READERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: packages }));
  for (const name of names.filter((file) => !file.endsWith('.test.ts'))) {
    const walk = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        found.set(`${name}: ${node.text}`, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
      }
      ts.forEachChild(node, walk);
    };
    walk(ts.createSourceFile(name, readFileSync(`${packages}/${name}`, 'utf8'), ts.ScriptTarget.Latest));
  }
  return found;
}

/** Patterns as they meet a request, those that zod brings for its own formats included. */
function inSchemas(): Map<string, RegExp> {
  const found = new Map<string, RegExp>();
  for (const { route } of everyRoute()) {
    for (const schema of [route.params, route.query, route.body].filter((one) => one !== undefined)) {
      z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override({ zodSchema }) {
          const { patterns } = zodSchema._zod.bag as { patterns?: ReadonlySet<RegExp> };
          for (const pattern of patterns ?? []) found.set(String(pattern), pattern);
        },
      });
    }
  }
  return found;
}

test('no input makes a pattern that meets requests or contents backtrack without bound', () => {
  const patterns = new Map([...inSources(), ...inSchemas()]);
  expect(patterns.size).toBeGreaterThan(70);
  const unbounded = [...patterns].filter(([, pattern]) => !isLinear(pattern)).map(([name]) => name);
  expect(unbounded).toEqual([]);
});

test('the check finds nested repetitions, and alternatives that overlap', () => {
  // Few steps are enough for these; what they cannot prove counts as found.
  for (const pattern of [/^([A-Za-z0-9._-]+\/?)*$/, /^(a|a)*$/, /^a*a*$/, /^(\w+\s?)+$/u]) expect(isLinear(pattern, 2_000)).toBe(false);
});
