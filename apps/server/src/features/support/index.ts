/**
 * Support: what somebody who helps needs to see, in one file.
 *
 * The bundle has the version, which settings were given (names, never values), migrations, workers and
 * the last runs with their codes and figures. It is put together from columns that are named one by one,
 * so that a new column with a secret, a name or content can't slip in. Making one is in the audit log.
 *
 * Contact data of support is a setting of the portal and not the business of this feature.
 */
export { createSupportFeature } from './feature.ts';
