import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A time that is given on insert and may be changed. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** A time that the database fills in when it is left out. */
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
export type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** Columns every table of an organisation starts with; both are filled from the scope when left out. */
export interface OrganisationColumns {
  organisation_id: Generated<string>;
  realm: Generated<'production' | 'staging'>;
}
/** JSON that is written as text and read as a value. */
export type Json<T extends object> = JSONColumnType<T>;
export type { ColumnType, Generated };
