/**
 * The access log: the events of the audit log that are an access to content, read as sentences about people.
 *
 * Nothing is written here. Whatever opens content records it in the audit log before it answers.
 */
export { accessesTo, countAccesses } from './access-log.views.ts';
export { createAccessLogFeature } from './feature.ts';
