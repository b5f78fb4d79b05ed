import { AppError, systemCode } from '@holdfast/foundation/errors';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fill } from '../http/language.ts';
import { counted, required, type Command } from './command.ts';
import { conformanceWords } from './conformance-words.ts';
import { factsOfExport, type ExportFacts } from './conformance-facts.ts';
import { conformanceOf, STANDARD_VERSION } from './conformance-tests.ts';
import { badExport, checkExport } from './export-folder.ts';

/** Exit code where a test has failed. */
const FAILED = 1;

/** A test looks at nothing but an export that is whole. */
async function wholeExport(folder: string, key: string | undefined): Promise<ExportFacts> {
  const problems: string[] = [];
  const { files } = await checkExport(folder, key, (problem) => void problems.push(problem));
  const [first] = problems;
  if (first !== undefined) {
    throw badExport(`${folder} is not whole: ${counted(problems.length, 'problem')} in ${counted(files, 'file')}. The first: ${first}`);
  }
  return factsOfExport(folder);
}

function wordsFor(language: string) {
  if (language === 'en' || language === 'de') return conformanceWords[language];
  throw new AppError('admin.bad-option', { message: '--language is en or de.' });
}

function isYes(value = 'no'): boolean {
  if (value !== 'yes' && value !== 'no') throw new AppError('admin.bad-option', { message: '--json is yes or no.' });
  return value === 'yes';
}

async function isExport(folder: string): Promise<boolean> {
  try {
    await access(path.join(folder, 'manifest.json'));
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The exports of a case among those that were unpacked beside each other, each into a folder of its own. All of them have to be whole. */
async function exportsOfCase(folder: string, caseId: string, key: string | undefined): Promise<readonly ExportFacts[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const all: ExportFacts[] = [];
  for (const name of entries.map((entry) => entry.name).toSorted()) {
    const one = path.join(folder, name);
    if (await isExport(one)) all.push(await wholeExport(one, key));
  }
  const own = all.filter(({ head }) => head.caseId === caseId);
  if (own.length > 0) return own;
  const others = [...new Set(all.map(({ head }) => head.caseId ?? 'no case'))].join(', ');
  throw badExport(
    `${folder} has no export of the case ${caseId} in a folder of its own. It has ${counted(all.length, 'export')}, of: ${others}.`,
  );
}

/** Another export of the same list, of those that are there. */
const secondOf = ({ head }: ExportFacts, all: readonly ExportFacts[]): ExportFacts | undefined =>
  all.find((other) => other.head.exportId !== head.exportId && other.head.content === head.content && other.head.query === head.query);

/** What one export comes to. */
function resultsOf(facts: ExportFacts, again: ExportFacts | undefined, words: ReturnType<typeof wordsFor>) {
  const results = conformanceOf(facts, again).map((result) => ({ ...result, text: fill(words.reasons[result.reason], result.values) }));
  return { standard: STANDARD_VERSION, exportId: facts.head.exportId, level: null, results };
}

type Results = ReturnType<typeof resultsOf>;
const hasFailed = ({ results }: Results): boolean => results.some(({ status }) => status === 'failed');

function tell(print: (line: string) => void, { results }: Results, words: ReturnType<typeof wordsFor>): void {
  for (const { test, name, level, status, text } of results) print(`${test} ${name} (${level}): ${words.status[status]}. ${text}`);
}

/** The tests over every export of a case: each by itself, and with the second one of its list where that is there. */
async function runOverCase(print: (line: string) => void, given: Readonly<Record<string, string | undefined>>): Promise<number> {
  const words = wordsFor(given['language'] ?? 'en');
  const isJson = isYes(given['json']);
  const caseId = required(given, 'case');
  if (given['again'] !== undefined) throw new AppError('admin.bad-option', { message: '--again does not go with --case.' });
  const all = await exportsOfCase(required(given, 'folder'), caseId, given['key']);
  const found = all.map((facts) => resultsOf(facts, secondOf(facts, all), words));
  if (isJson) print(JSON.stringify({ caseId, exports: found }, null, 1));
  else {
    print(fill(words.headOfCase, { version: STANDARD_VERSION, caseId, exports: String(found.length) }));
    for (const one of found) {
      print(`\n${one.exportId}`);
      tell(print, one, words);
    }
    print(words.noLevel);
  }
  return found.some(hasFailed) ? FAILED : 0;
}

/** The tests over one export. */
async function runOverExport(print: (line: string) => void, given: Readonly<Record<string, string | undefined>>): Promise<number> {
  const words = wordsFor(given['language'] ?? 'en');
  const isJson = isYes(given['json']);
  const facts = await wholeExport(required(given, 'folder'), given['key']);
  const again = given['again'] === undefined ? undefined : await wholeExport(given['again'], given['key']);
  const found = resultsOf(facts, again, words);
  if (isJson) print(JSON.stringify(found, null, 1));
  else {
    print(fill(words.head, { version: STANDARD_VERSION }));
    tell(print, found, words);
    print(words.noLevel);
  }
  return hasFailed(found) ? FAILED : 0;
}

/** Runs the minimum tests of the Reconstruction-Grade eDiscovery Standard over an export, as far as an export shows them. */
export const conformance: Command = {
  name: 'conformance',
  summary:
    'Runs the tests T-01 to T-07 of the Reconstruction-Grade eDiscovery Standard over an export that was unpacked into a folder. Needs no database and no network.',
  argument: 'folder',
  options: {
    folder: 'The same as an option',
    case: 'Id of a case: the folder has its exports, each in a folder of its own, and every one of them is tested',
    again: 'Folder with a second export of the same list, for T-07',
    key: 'File with the public key to trust; without it the one in each export',
    language: 'en or de',
    json: 'yes: as JSON, for programs',
  },
  run: ({ print }, given) => (given['case'] === undefined ? runOverExport(print, given) : runOverCase(print, given)),
};
