import { isUuid } from '@holdfast/foundation/ids';
import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import { createCatalogRebuild, createResourcesStore, type RebuiltResource } from '../storage/index.ts';
import { allScopes } from '../features/organisations/index.ts';
import { INCOMPLETE, type Command } from './command.ts';
import { lostSentence } from './vault-command.ts';

const SKIPPED: Readonly<Record<Exclude<RebuiltResource['result'], 'rebuilt'>, string>> = {
  unnamed: 'skipped: the vault does not say which mailbox, drive, site, team or chat it is',
  'in-use': 'skipped: it was backed up again here under another id before this command ran',
  'given-up': 'skipped: a deletion job had given it up',
  unreadable: 'skipped: none of its commits can be read',
};

function lineOf({ resourceId, name, result, points, lost }: RebuiltResource): string {
  const incomplete = lost.length > 0 ? `; ${lostSentence(lost)} until the next backup` : '';
  return `${resourceId}\t${result === 'rebuilt' ? `${points} restore points${incomplete}` : SKIPPED[result]}\t${name}`;
}

/** Fills the catalog of a new database from the journals of a vault. */
export const rebuildCatalog: Command = {
  name: 'rebuild-catalog',
  summary: 'Fills the catalog from a vault after the database was lost. Run it before the first job; may be run again after a crash.',
  options: { location: 'Id of the location that points at the vault; without it, the locations are listed' },
  async run({ config, logger, print }, given) {
    const locationId = given['location'];
    if (locationId !== undefined && !isUuid(locationId))
      throw new AppError('admin.bad-option', { message: '--location is not the id of a location.' });
    return withFeatures({ config, logger }, async ({ ground, storage }) => {
      const { database } = ground;
      const rebuild = createCatalogRebuild({
        database,
        vaults: storage.vaults,
        resources: createResourcesStore(ground),
        catalogOf: ground.catalogOf,
        allScopes: () => allScopes(database),
      });
      if (locationId === undefined) {
        for (const { locationId: id, name } of await rebuild.places()) print(`${id}\t${name}`);
        print('Say which with --location <id>.');
        return 0;
      }
      const place = await rebuild.find(locationId);
      let rebuilt = 0;
      let skipped = 0;
      let damaged = 0;
      for await (const resource of rebuild.run(place)) {
        print(lineOf(resource));
        if (resource.lost.length > 0) damaged += 1;
        if (resource.result === 'rebuilt') rebuilt += 1;
        else skipped += 1;
      }
      print(`${rebuilt} resources rebuilt, ${skipped} skipped${damaged > 0 ? `, ${damaged} with lost commits` : ''}.`);
      return damaged > 0 ? INCOMPLETE : 0;
    });
  },
};
