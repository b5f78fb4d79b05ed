import { fingerprintOf } from '../features/exports/index.ts';
import { counted, required, type Command } from './command.ts';
import { badExport, checkExport } from './export-folder.ts';

/** Checks an export that was unpacked into a folder: the signature of its manifest, and each file. Needs nothing else. */
export const verifyExport: Command = {
  name: 'verify-export',
  summary: 'Checks an export that was unpacked into a folder: its signature and every file. Needs no database and no network.',
  argument: 'folder',
  options: { folder: 'The same as an option', key: 'File with the public key to trust; without it the one in the export' },
  async run({ print }, given) {
    const { key, files, problems } = await checkExport(required(given, 'folder'), given['key'], print);
    if (problems > 0) throw badExport(`The export is not whole: ${counted(problems, 'problem')} in ${counted(files, 'file')}.`);
    print(`The export is whole: ${counted(files, 'file')}. Its manifest was signed with the key ${fingerprintOf(key)}.`);
    if (given['key'] === undefined) print('Compare this fingerprint with the one on the page of exports: the key came with the export.');
  },
};
