export const REQUESTS = '/archive/data-requests';
