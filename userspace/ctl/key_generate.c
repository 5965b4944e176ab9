// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl key generate: makes a new key, as a line for files of keys.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "cleanup.h"
#include "command.h"
#include "kernel_key.h"
#include "keyfile.h"
#include "report.h"

static const char *file;

static const struct option_def options[] = {
	{ "file", "FILE", "append it to FILE, which is made if missing",
	  OPTION_TEXT, &file, 0, 0 },
	OPTIONS_END,
};

/* Whatever is there already must be as private as the key is. */
static enum rbdctl_exit open_file(int *fd)
{
	struct reason why;
	int err;

	*fd = open(file, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC,
		   0600);
	if (*fd >= 0)
		return EXIT_OK;
	if (errno != EEXIST)
		return fail(EXIT_FAILED, "cannot make %s: %m", quote(file));
	err = keyfile_open(file, true, &why);
	if (err < 0) {
		fail(EXIT_REFUSED, "%s", why.message);
		remedy("%s", why.hint);
		return EXIT_REFUSED;
	}
	close(err);
	*fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
	return *fd < 0 ? fail(EXIT_FAILED, "cannot write to %s: %m",
			      quote(file)) : EXIT_OK;
}

static enum rbdctl_exit write_line(int fd, const char *name)
{
	char text[SECRET_TEXT_MAX], line[RDMABLK_HOST_MAX + SECRET_TEXT_MAX + 2];
	struct secret secret;
	struct reason why;
	int len, err = secret_generate(&secret, &why);

	if (err)
		return fail(EXIT_FAILED, "%s", why.message);
	secret_text(&secret, text);
	len = snprintf(line, sizeof(line), "%s:%s\n", name, text);
	/* Short of a full disk a line goes out as a whole. */
	err = write(fd, line, (size_t)len) == len ? 0 : errno ? errno : EIO;
	OPENSSL_cleanse(line, sizeof(line));
	OPENSSL_cleanse(text, sizeof(text));
	secret_wipe(&secret);
	if (err)
		return fail(EXIT_FAILED, "cannot write the key: %s",
			    strerror(err));
	return EXIT_OK;
}

static enum rbdctl_exit generate_run(int argc, char **argv)
{
	CLEANUP_CLOSE int fd = -1;
	enum rbdctl_exit code = key_name_check(argv[0]);

	(void)argc;
	secret_no_core();
	if (code)
		return code;
	if (file) {
		code = open_file(&fd);
		return code ? code : write_line(fd, argv[0]);
	}
	if (!isatty(STDOUT_FILENO))
		return write_line(STDOUT_FILENO, argv[0]);
	fail(EXIT_USAGE, "the key would be shown on the screen");
	remedy("use --file FILE, or send it to a program or a file");
	return EXIT_USAGE;
}

const struct command command_key_generate = {
	.name		= "generate",
	.arguments	= "NAME [OPTION]...",
	.summary	= "Make a new key for a client",
	.details	= "Prints NAME:KEY, a line for the target's file of keys and for 'rbdctl key add'\n"
		  "at the client",
	.options	= options,
	.min_args	= 1,
	.max_args	= 1,
	.run		= generate_run,
};
