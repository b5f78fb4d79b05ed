/**
 * Requests of people about their own data in the portal: the register with its clock, what was found, the package and the answer.
 *
 * The page of a person offers the form that registers a request for access.
 */
export { AccessRequestForm } from './access-request-form.tsx';
