/** The text of a kustomization whose image `parley` is `reference`: a name, a version and a digest. */
export function pinImage(text: string, reference: string): string;
