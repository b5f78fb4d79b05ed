/**
 * People, sites, teams and chats as those see them who look after them: one entry for each, whatever workloads it is made of,
 * with how well it is protected, what is kept of it, which jobs cover it and how its days ended.
 *
 * Everything is read from resources, runs and the catalog. How well a resource is protected is the business of reporting.
 */
export { createPeopleFeature } from './feature.ts';
