/** Lines, or the text of a meta file, without their checksums: as 0.1.0 wrote them, and as whoever changes one of them would. */
export const unsealed = (text: string): string =>
  text.replaceAll(/,"crc":"[0-9a-f]{8}"\}$/gm, '}').replace(/,\n {2}"crc": "[0-9a-f]{8}"\n\}\n$/, '\n}\n');
