const REFERENCE = /^(?<newName>[^@]+):(?<newTag>\w[\w.-]*)@(?<digest>sha256:[0-9a-f]{64})$/;
const IMAGE = /^( *)- name: parley\n(?:\1 {2}\w+: .*\n)*/m;

/** The text of a kustomization whose image `parley` is `reference`: a name, a version and a digest. All else stays as it is. */
export function pinImage(text, reference) {
  const parts = REFERENCE.exec(reference)?.groups;
  if (!parts) throw new Error(`${reference} is not <name>:<version>@sha256:<64 hexadecimal digits>.`);
  const indent = IMAGE.exec(text)?.[1];
  if (indent === undefined) throw new Error('The kustomization has no image with the name parley.');
  const lines = Object.entries(parts).map(([key, value]) => `${indent}  ${key}: ${value}\n`);
  return text.replace(IMAGE, `${indent}- name: parley\n${lines.join('')}`);
}
