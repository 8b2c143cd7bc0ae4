import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface Form {
  file: { name: string; bytes: Buffer } | null;
  fields: Record<string, string>;
}

/** What a form may hold. */
export interface FormParts {
  fileField: string;
  fields: readonly string[];
  fileBytesMax: number;
}

/** Thrown when the body is not a form with the declared parts, or its file is too large. */
export class BadForm extends Error {
  readonly tooLarge: boolean;
  constructor(note: string, tooLarge = false) {
    super(note);
    this.tooLarge = tooLarge;
  }
}

const FIELD_BYTES_MAX = 200;

/** Lets the calls of this scope, and only them, take forms with files. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart);
}

/**
 * Reads a form with at most one file into memory; an upload that is broken off leaves nothing. Throws BadForm for
 * more or other parts than declared and for a file past `fileBytesMax`. Null when the body is no form.
 */
export async function readForm(
  request: FastifyRequest,
  { fileField, fields, fileBytesMax }: FormParts,
): Promise<Form | null> {
  if (!request.isMultipart()) return null;
  const form: Form = { file: null, fields: {} };
  const limits = {
    fileSize: fileBytesMax,
    files: 1,
    fields: fields.length,
    parts: fields.length + 1,
    fieldSize: FIELD_BYTES_MAX,
    fieldNameSize: 100,
    headerPairs: 20,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname !== fileField) throw new BadForm('another file');
        form.file = { name: part.filename ?? '', bytes };
      } else {
        if (!fields.includes(part.fieldname) || part.valueTruncated) throw new BadForm('another field');
        form.fields[part.fieldname] = String(part.value);
      }
    }
  } catch (error) {
    if (error instanceof BadForm) throw error;
    const { code, message } = error as { code?: string; message?: string };
    throw new BadForm(message ?? 'form', code === 'FST_REQ_FILE_TOO_LARGE');
  }
  return form;
}
