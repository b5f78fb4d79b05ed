/**
 * Reports of a period: a month of a tenant on a few pages, for people who sign nothing in.
 *
 * On the first of a month each tenant gets the report of the month before, in the language and by the clock of its organisation;
 * anybody who may run jobs can ask for one of any period. What is counted is kept once and never again: page, PDF file and mail
 * are made from the kept figures, in either language. The PDF file is stored with the reports of the organisation.
 */
export { createPeriodReportsFeature } from './feature.ts';
export { fileNameOf } from './compose-report.ts';
export { ownerOfReports, type ReportOwner } from './period-figures.views.ts';
export { figure, reportWords, tableOf, type ReportWords } from './report-words.ts';
export { kindOf } from './run-sections.ts';
