import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IReporterOutput } from 'dependency-cruiser';
import { checkKinds } from './check-kinds.ts';
import { checkRooms } from './check-rooms.ts';
import { root } from './run.ts';

/** Fewer modules than this means that the tool read nothing, and a tool that reads nothing reports no violations. */
const MINIMUM_MODULES = 100;

/** Reads the imports of `folders` under the rules of .dependency-cruiser.mjs. */
export async function cruiseFolders(folders: readonly string[]): Promise<ICruiseResult> {
  const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as { default: { forbidden: never[]; options: object } };
  const { default: tsConfig } = (await import('dependency-cruiser/config-utl/extract-ts-config')) as {
    default: (file: string) => object;
  };
  const before = process.cwd();
  process.chdir(root);
  try {
    const done: IReporterOutput = await cruise(
      [...folders],
      { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true },
      undefined,
      { tsConfig: tsConfig('tsconfig.json') },
    );
    return done.output as ICruiseResult;
  } finally {
    process.chdir(before);
  }
}

/** Migrations that share a number: no database starts with them. Branches that land together can each take the next one. */
export function sharedNumbers(migrations: readonly string[]): string[] {
  const byNumber = Map.groupBy(migrations, (name) => name.split('-', 1)[0] ?? '');
  return [...byNumber]
    .filter(([, names]) => names.length > 1)
    .map(([number, names]) => `Migration ${number} is there twice: ${names.join(', ')}`);
}

/** Imports that go where no arrow leads, as one line each. */
export async function checkArchitecture(): Promise<string> {
  const result = await cruiseFolders(['apps', 'packages']);
  const found = result.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`);
  if (result.summary.totalCruised < MINIMUM_MODULES)
    found.push(`Only ${result.summary.totalCruised} modules were read: the tool does not see the sources.`);
  found.push(...sharedNumbers((await readdir(join(root, 'packages/database/migrations'))).filter((name) => name.endsWith('.sql'))));
  for (const wrong of [await checkRooms(), await checkKinds()]) if (wrong) found.push(wrong);
  return found.join('\n');
}
