import { catalogContract } from './catalog.contract.ts';
import { createMemoryCatalog } from './memory-catalog.ts';

catalogContract('the catalog in memory', async () => ({
  catalog: createMemoryCatalog(),
  resourceIds: ['0190aaaa-0000-7000-8000-000000000001', '0190aaaa-0000-7000-8000-000000000002'],
}));
