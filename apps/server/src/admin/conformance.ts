import { AppError } from '@holdfast/foundation/errors';
import { fill } from '../http/language.ts';
import { required, type Command } from './command.ts';
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
  if (first !== undefined) throw badExport(`${folder} is not whole: ${problems.length} problems in ${files} files. The first: ${first}`);
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

/** Runs the minimum tests of the Reconstruction-Grade eDiscovery Standard over an export, as far as an export shows them. */
export const conformance: Command = {
  name: 'conformance',
  summary:
    'Runs the tests T-01 to T-07 of the Reconstruction-Grade eDiscovery Standard over an export that was unpacked into a folder. Needs no database and no network.',
  argument: 'folder',
  options: {
    folder: 'The same as an option',
    again: 'Folder with a second export of the same list, for T-07',
    key: 'File with the public key to trust; without it the one in each export',
    language: 'en or de',
    json: 'yes: as JSON, for programs',
  },
  async run({ print }, given) {
    const words = wordsFor(given['language'] ?? 'en');
    const isJson = isYes(given['json']);
    const facts = await wholeExport(required(given, 'folder'), given['key']);
    const again = given['again'] === undefined ? undefined : await wholeExport(given['again'], given['key']);
    const results = conformanceOf(facts, again).map((result) => ({ ...result, text: fill(words.reasons[result.reason], result.values) }));
    if (isJson) print(JSON.stringify({ standard: STANDARD_VERSION, exportId: facts.head.exportId, level: null, results }, null, 1));
    else {
      print(fill(words.head, { version: STANDARD_VERSION }));
      for (const { test, name, level, status, text } of results) print(`${test} ${name} (${level}): ${words.status[status]}. ${text}`);
      print(words.noLevel);
    }
    return results.some(({ status }) => status === 'failed') ? FAILED : 0;
  },
};
