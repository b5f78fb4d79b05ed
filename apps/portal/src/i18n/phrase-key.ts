import type { en } from '@holdfast/phrases/en';

type WithoutPlural<Key extends string> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key;
type Leaves<Texts, Prefix extends string = ''> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? `${Prefix}${WithoutPlural<Key>}` : Leaves<Texts[Key], `${Prefix}${Key}.`>;
}[keyof Texts & string];

/** Every text by its path: `shell.signOut`. A key that no phrase file has does not compile. */
export type PhraseKey = Leaves<typeof en>;

/** What stands in the gaps of a text. */
export type PhraseValues = Readonly<Record<string, string | number>>;

/** Looks a text up in the language of the moment. */
export type Translate = (key: PhraseKey, values?: PhraseValues) => string;
