/** The host of a route. All but `graph` take no bearer token: their links are signed (`Links.signed`). */
export type Host = 'graph' | 'sharepoint' | 'outlook' | 'outlookImport' | 'reports';
