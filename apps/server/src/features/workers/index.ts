/**
 * Workers: the processes that run jobs for customers, and the choice of one after sign-in.
 *
 * A worker registers with a join token that an administrator made, and says every half minute that it
 * is alive. The worker inside a single server registers itself for every organisation. The address is an
 * identifier: it is matched with registered workers and never dialled because a request named it.
 *
 * After signing in, a person chooses a customer and one of its workers; organisation and tenant of the
 * legacy calls follow from that choice (`createOrganisationResolver`). What runs on a worker is the
 * business of jobs.
 */
export { createWorkersFeature } from './feature.ts';
export { createOrganisationResolver } from './organisation-resolver.ts';
