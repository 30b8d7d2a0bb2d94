"""The passes: one a file, a public function of the file's name; they never import each other."""
