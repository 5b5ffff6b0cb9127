import { describeCases } from './support.js'

describeCases('what the grammar of a format accepts', {
  dates: {
    schema: { type: 'string', format: 'date' },
    accepted: ['"2024-02-29"', '"2000-02-29"', '"2023-12-31"'],
    refused: ['"2023-02-29"', '"1900-02-29"', '"2023-04-31"', '"2023-13-01"'],
  },
  'dates with a time': {
    schema: { type: 'string', format: 'date-time' },
    accepted: ['"2024-05-06T07:08:09Z"', '"2024-05-06T07:08:09.123+02:00"'],
    refused: ['"2024-05-06"', '"2024-05-06T24:00:00Z"', '"2024-05-06T07:08:09"'],
  },
  addresses: {
    schema: {
      anyOf: [
        { format: 'ipv4', type: 'string' },
        { format: 'email', type: 'string' },
      ],
    },
    accepted: ['"127.0.0.1"', '"a.b+c@example.org"'],
    refused: ['"256.0.0.1"', '"01.1.1.1"', '"a@b"', '"@example.org"'],
  },
  'addresses of the web': {
    schema: { type: 'string', format: 'uri' },
    accepted: ['"https://example.org"', '"http://a.b-c.example.org:8080/x/y%20z?q=1&r=#top"'],
    refused: [
      '"example.org"',
      '"ftp://example.org"',
      '"https://example.org/a b"',
      '"https://"',
      '"javascript:alert(1)"',
    ],
  },
  'names of hosts': {
    schema: { type: 'string', format: 'hostname' },
    accepted: ['"example.org"', '"ec2-203-0-113-25.compute-1.example.org"'],
    refused: ['""', '"-a"', '"a..b"', '"a_b"'],
  },
  'addresses of version 6': {
    schema: { type: 'string', format: 'ipv6' },
    accepted: ['"::"', '"::1"', '"fe80::1:2:3:4"', '"2001:db8:0:0:0:0:0:1"', '"2001:db8::"'],
    refused: ['"1"', '"1::2::3"', '"1:2:3:4:5:6:7:8:9"', '":::"', '"12345::"'],
  },
  durations: {
    schema: { type: 'string', format: 'duration' },
    accepted: ['"P1Y2M3D"', '"PT36H"', '"P1DT12H30M"', '"P4W"'],
    refused: ['"P"', '"PT"', '"P1H"', '"P1D2M"', '"1D"'],
  },
  'pointers and bytes': {
    schema: {
      type: 'object',
      properties: { at: { type: 'string', format: 'json-pointer' }, data: { type: 'string', format: 'byte' } },
    },
    accepted: ['{"at":"/a~0b/~1","data":"aGk="}', '{"at":""}'],
    refused: ['{"at":"a"}', '{"at":"/~2"}', '{"data":"aGk"}'],
  },
})
