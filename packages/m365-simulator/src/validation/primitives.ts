/** A test of one primitive type of OData JSON (IEEE754Compatible=false): the problem as a phrase, or undefined. */
export type PrimitiveCheck = (value: unknown) => string | undefined;

const DATE_TIME_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,12})?Z$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,12})?)?(Z|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}(:\d{2}(\.\d{1,12})?)?$/;
const DURATION = /^-?P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function text(pattern: RegExp, form: string): PrimitiveCheck {
  return (value) => (typeof value === 'string' && pattern.test(value) ? undefined : `is not ${form}`);
}

function whole(lowest: number, highest: number): PrimitiveCheck {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest
      ? undefined
      : `is not a whole number from ${lowest} to ${highest}`;
}

const real: PrimitiveCheck = (value) =>
  typeof value === 'number' || value === 'INF' || value === '-INF' || value === 'NaN' ? undefined : 'is not a number';

const COMMON: Readonly<Record<string, PrimitiveCheck>> = {
  'Edm.String': (value) => (typeof value === 'string' ? undefined : 'is not a string'),
  'Edm.Boolean': (value) => (typeof value === 'boolean' ? undefined : 'is not a boolean'),
  'Edm.Byte': whole(0, 255),
  'Edm.Int16': whole(-(2 ** 15), 2 ** 15 - 1),
  'Edm.Int32': whole(-(2 ** 31), 2 ** 31 - 1),
  'Edm.Int64': whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  'Edm.Double': real,
  'Edm.Single': real,
  'Edm.Decimal': real,
  'Edm.Date': text(DATE, 'a date'),
  'Edm.TimeOfDay': text(TIME, 'a time of day'),
  'Edm.Duration': text(DURATION, 'a duration'),
  'Edm.Guid': text(GUID, 'a GUID'),
  'Edm.Binary': text(BASE64, 'base64'),
  'Edm.Untyped': () => undefined,
  'Edm.Stream': () => 'is a stream, which never stands inline',
};

/** Forms the service itself sends: times always in UTC with `Z`. */
export const RESPONSE_PRIMITIVES: Readonly<Record<string, PrimitiveCheck>> = {
  ...COMMON,
  'Edm.DateTimeOffset': text(DATE_TIME_UTC, 'a time in UTC with Z'),
};

/** Forms the service accepts: times with any offset. */
export const REQUEST_PRIMITIVES: Readonly<Record<string, PrimitiveCheck>> = {
  ...COMMON,
  'Edm.DateTimeOffset': text(DATE_TIME, 'a time with an offset'),
};
