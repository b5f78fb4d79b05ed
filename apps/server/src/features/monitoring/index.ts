/**
 * Monitoring: what runs now, what ran, and what each run did to each resource.
 *
 * Runs themselves are the core that `runs/` holds; reports over months are the business of reporting.
 */
export { createMonitoringFeature } from './feature.ts';
