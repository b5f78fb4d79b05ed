import { isJsonObject, type JsonObject, type JsonValue, textOf } from '../values/json.ts';

const NO_ANSWER: JsonObject = { response: 'none', time: '0001-01-01T00:00:00Z' };

function attendeeOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return { type: 'required', ...value, status: isJsonObject(value['status']) ? value['status'] : NO_ANSWER };
}

function locationOf(value: JsonObject): JsonObject {
  const name = textOf(value['displayName']);
  const own: JsonObject = { displayName: name, locationType: 'default', ...(name === '' ? {} : { uniqueId: name }) };
  return { ...own, uniqueIdType: name === '' ? 'unknown' : 'private', address: {}, coordinates: {}, ...value };
}

function recurrenceOf(value: JsonObject, start: JsonValue | undefined): JsonObject {
  const pattern = isJsonObject(value['pattern']) ? value['pattern'] : {};
  const range = isJsonObject(value['range']) ? value['range'] : {};
  const zone = isJsonObject(start) ? textOf(start['timeZone'], 'UTC') : 'UTC';
  const given = textOf(range['recurrenceTimeZone']);
  return {
    pattern: { interval: 1, month: 0, dayOfMonth: 0, firstDayOfWeek: 'sunday', index: 'first', ...pattern },
    range: { endDate: '0001-01-01', numberOfOccurrences: 0, ...range, recurrenceTimeZone: given === '' ? zone : given },
  };
}

/** HTML always comes back as a whole document. */
function bodyOf(value: JsonObject): JsonObject {
  const content = textOf(value['content']);
  const isHtml = textOf(value['contentType'], 'text').toLowerCase() === 'html';
  if (!isHtml || /<html/iu.test(content)) return { ...value, contentType: isHtml ? 'html' : 'text', content };
  const head = '<head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\r\n</head>';
  return { ...value, contentType: 'html', content: `<html>\r\n${head}\r\n<body>\r\n${content}\r\n</body>\r\n</html>\r\n` };
}

/** An event as Exchange keeps it: with the properties that a client left out of its parts. */
export function normaliseEvent(event: JsonObject): JsonObject {
  const { attendees, location, recurrence, body, start } = event;
  return {
    ...event,
    ...(Array.isArray(attendees) ? { attendees: attendees.map((value: JsonValue) => attendeeOf(value)) } : {}),
    ...(isJsonObject(location) ? { location: locationOf(location) } : {}),
    ...(isJsonObject(recurrence) ? { recurrence: recurrenceOf(recurrence, start) } : {}),
    ...(isJsonObject(body) ? { body: bodyOf(body) } : {}),
  };
}
