/**
 * Reports of months and other periods in the portal: the list, the form that asks for one, and the page of a report.
 *
 * The page shows the same paper as the PDF file: the server writes it in the reader's language, and the drawings of its charts are
 * the ones that the file has.
 */
export { PeriodReportList } from './period-report-list.tsx';
export { PaperView } from './paper-view.tsx';
export { PeriodReportPage } from './period-report-page.tsx';
