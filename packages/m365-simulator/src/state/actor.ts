/** Who did something: a person, or an app, which is all that Graph can be with application roles. */
export type Actor = { readonly userId: string } | { readonly appId: string };
