/**
 * A Microsoft 365 that runs anywhere: sign-in and Microsoft Graph over HTTPS, for try-out, tests and benchmarks.
 *
 * A tenant is a recipe and a seed. What nobody changed is generated when it is asked for, as a pure function of seed,
 * kind, owner and index, so that a million messages cost nothing until they are read; what was changed is plain data in
 * one store a tenant, with a log in total order, from which delta queries and the ground truth are answered.
 *
 * A request runs: TLS → host and route (`http/`) → token (`login/`) → roles (`permissions/`) → limits → scripted
 * faults → handler of a workload (`mail/`, `drives/` …) → check against the metadata (`validation/`) → answer. Each
 * workload is a table of routes, providers of ground truth and activities of people; it knows no server.
 *
 * `startSimulator(options)` starts one in this process; `main.ts` is the command line. The ground truth comes from the
 * admin address, never through Graph: it is what tests compare a backup or a restore with.
 */
export type { Activity, Workload } from './http/workload.ts';
export type { TruthRecord } from './state/truth.ts';
export type { Recipe } from './state/recipe.ts';
export { journalReport, type Journaled, type JournaledRecipient } from './journaling/journal-report.ts';
export { loadCorpus } from './mail/load-corpus.ts';
export { startSimulator, type Simulator, type SimulatorOptions, type TenantAccess } from './start.ts';
